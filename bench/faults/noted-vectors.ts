import { readFileSync } from 'node:fs';
import { schemaName } from '../../src/adapters/postgres/database/project-schema.js';
import { executeAs } from '../../test/support/execute-as.js';
import type { TempProject } from '../../test/support/temp-project.js';

/** What writing one vector takes, so that there is a middle in which its writer can be killed. */
const SLOWNESS_SECONDS = 0.05;

/**
 * The vectors that services make for a project in PostgreSQL, noted by a trigger: which, when, and by whom. It also sees
 * those that are not stored because the chunk has a vector by then.
 */
export class NotedVectors {
  readonly #url: string;
  readonly #schema: string;
  #leaseEnd: Date | undefined;

  /** From now on, writing a vector of an opened project takes time and is noted. */
  static async of(url: string, project: TempProject): Promise<NotedVectors> {
    const key = readFileSync(project.at('.knowledge/project-key'), 'utf8').trim();
    const vectors = new NotedVectors(url, schemaName(key));
    await vectors.#createTrigger();
    return vectors;
  }

  private constructor(url: string, schema: string) {
    this.#url = url;
    this.#schema = schema;
  }

  /** The application names of the sessions that wrote any. */
  async writers(): Promise<readonly string[]> {
    const rows = await executeAs(this.#url, `SELECT DISTINCT writer FROM ${this.#schema}.noted`);
    return rows.map(({ writer }) => writer);
  }

  /** What is left of a lease is this long from now, as if its holder had taken it earlier. */
  async endLeasesIn(seconds: number): Promise<void> {
    const [row] = await executeAs(
      this.#url,
      `UPDATE ${this.#schema}.leases SET expires_at = clock_timestamp() + interval '${seconds} seconds'
       WHERE name = 'vectors' RETURNING expires_at`,
    );
    this.#leaseEnd = row?.expires_at;
  }

  /** From now on every lease has ended when it is taken, so that whoever asks for it gets it. */
  async voidLeases(): Promise<void> {
    const schema = this.#schema;
    await executeAs(
      this.#url,
      `CREATE FUNCTION ${schema}.void() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         NEW.expires_at := clock_timestamp() - interval '1 second';
         RETURN NEW;
       END $$;
       CREATE TRIGGER void BEFORE INSERT OR UPDATE ON ${schema}.leases
         FOR EACH ROW EXECUTE FUNCTION ${schema}.void();
       UPDATE ${schema}.leases SET name = name`,
    );
  }

  /** One sentence for each rule of taking turns that was broken. */
  async problems(): Promise<readonly string[]> {
    const [{ twice, early }] = await executeAs(
      this.#url,
      `SELECT count(*) - count(DISTINCT chunk_no) AS twice,
         count(*) FILTER (WHERE writer = 'second' AND at < $1) AS early FROM ${this.#schema}.noted`,
      [this.#leaseEnd ?? new Date(0)],
    );
    const writers = await this.writers();
    return [
      ...(twice === '0' ? [] : [`${twice} vectors were made again.`]),
      ...(early === '0' ? [] : [`${early} vectors were written before the lease had ended.`]),
      ...(writers.length === 2 ? [] : [`Only ${writers.join()} wrote: nothing was taken over.`]),
    ];
  }

  async #createTrigger(): Promise<void> {
    const schema = this.#schema;
    await executeAs(
      this.#url,
      `CREATE TABLE ${schema}.noted (chunk_no bigint, writer text, at timestamptz);
       CREATE FUNCTION ${schema}.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM pg_sleep(${SLOWNESS_SECONDS});
         INSERT INTO ${schema}.noted
           VALUES (NEW.chunk_no, current_setting('application_name'), clock_timestamp());
         RETURN NEW;
       END $$;
       CREATE TRIGGER note BEFORE INSERT ON ${schema}.content_vectors
         FOR EACH ROW EXECUTE FUNCTION ${schema}.note()`,
    );
  }
}

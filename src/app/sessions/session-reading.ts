import { readFrontmatter } from '../../domain/chunks/frontmatter.js';
import { LISTED_ENTRIES } from '../../domain/limits.js';
import { documentNames, sessionPath, sessionsFolder } from '../../domain/project-layout.js';
import { isRecord } from '../../domain/records.js';
import { readText, readTime } from '../../domain/saved/note-dates.js';
import { groupSessionFiles, type SessionFiles } from '../../domain/sessions/session-names.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { SessionList, SessionsRequest } from '../../schemas/sessions.js';
import { eventLoop } from '../../shared/in-batches.js';
import type { Projects } from '../projects/projects.js';

interface SessionReadingDeps {
  readonly projects: Pick<Projects, 'locate'>;
  readonly files: Pick<ProjectFileReader, 'listFolder' | 'readText'>;
  readonly appDirs: Pick<AppDirectories, 'of'>;
  readonly frontmatter: FrontmatterParser;
}

type Listed = SessionList['sessions'][number];

/** Lists sessions from their files. Creates nothing, and reads no transcript. */
export class SessionReading {
  readonly #deps: SessionReadingDeps;

  constructor(deps: SessionReadingDeps) {
    this.#deps = deps;
  }

  /**
   * Returns one page of sessions. Reads the files of this page alone or, if an agent is selected, of all matching days,
   * because only the files name the agent.
   */
  async list({ projectPath, ...wanted }: SessionsRequest): Promise<SessionList> {
    const { agent, since = '', until = '9999', limit = LISTED_ENTRIES, offset = 0 } = wanted;
    const { path } = await this.#deps.projects.locate(projectPath);
    const folder = sessionsFolder(this.#deps.appDirs.of(path));
    const names = documentNames((await this.#deps.files.listFolder(path, folder)).paths);
    const ofDays = groupSessionFiles(names).filter(({ day = '' }) => since <= day && day <= until);
    if (agent === undefined) {
      const sessions = await this.#describe(path, ofDays.slice(offset, offset + limit));
      return { total: ofDays.length, sessions };
    }
    const described = await this.#describe(path, ofDays);
    const sessions = described.filter((session) => session.agent === agent);
    return { total: sessions.length, sessions: sessions.slice(offset, offset + limit) };
  }

  async #describe(project: string, sessions: readonly SessionFiles[]): Promise<readonly Listed[]> {
    const described: Listed[] = [];
    for (const session of sessions) {
      await eventLoop();
      described.push(await this.#describeOne(project, session));
    }
    return described.toSorted(newestFirst);
  }

  async #describeOne(project: string, { names, day }: SessionFiles): Promise<Listed> {
    const { files, appDirs, frontmatter } = this.#deps;
    const toPath = (name: string) => sessionPath(appDirs.of(project), name);
    const sourceFile = toPath(names[0]);
    const reading = await files.readText(project, sourceFile);
    const text = reading === undefined || 'skipped' in reading ? '' : reading.text;
    const { value } = readFrontmatter(text, (yaml) => frontmatter.parse(yaml, sourceFile));
    const fields = isRecord(value) ? value : {};
    const said = {
      agent: readText(fields['agent']),
      session: readText(fields['session']),
      branch: readText(fields['branch']),
      started: readTime(fields['started']) ?? day,
      ended: readTime(fields['ended']),
    };
    const known = Object.entries(said).filter(([, one]) => one !== undefined);
    return {
      sourceFile,
      sourceFiles: names.map(toPath),
      ...Object.fromEntries(known),
      title: readText(fields['title']) ?? names[0],
    };
  }
}

function newestFirst({ started: a = '' }: Listed, { started: b = '' }: Listed): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

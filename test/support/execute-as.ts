import { Client } from 'pg';

/** Runs SQL on a connection of its own, as another program does. */
export async function executeAs(url: string, sql: string, values?: readonly unknown[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values && [...values])).rows ?? [];
  } finally {
    await client.end();
  }
}

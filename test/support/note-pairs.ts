/** Title and content of a known note, and of one written later. */
export type NotePair = readonly [
  known: readonly [title: string, content: string],
  later: readonly [title: string, content: string],
];

/** The later note contradicts or corrects the known one. */
export const CONTRADICTING: readonly NotePair[] = [
  [
    ['Write lock', 'Writers wait for the lock for 15 seconds, then they give up.'],
    ['How long writers wait', 'A writer gives up on the lock after 30 seconds.'],
  ],
  [
    ['Release day', 'Releases go out on Tuesdays, never on Fridays.'],
    ['When we release', 'We now release on Thursdays, because the support team is complete then.'],
  ],
  [
    ['Package manager', 'Use pnpm in this repository; npm breaks the workspace links.'],
    ['pnpm is gone', 'The repository is back on npm. Do not use pnpm any more.'],
  ],
  [
    ['Retries of the payment client', 'The payment client retries a failed call three times.'],
    [
      'Payment calls',
      'A failed call to the payment provider must not be retried, or customers pay twice.',
    ],
  ],
  [
    ['Times in the database', 'All times are stored in UTC as ISO 8601 texts.'],
    ['Timestamps', 'Timestamps in the database are epoch milliseconds, not ISO texts.'],
  ],
  [
    ['Feature flags', 'Feature flags live in the file flags.json and need a deployment.'],
    [
      'Where feature flags live',
      'Feature flags are in LaunchDarkly now and change without a deployment.',
    ],
  ],
  [
    ['Cache of prices', 'Prices are cached in Redis for ten minutes.'],
    [
      'Prices are not cached',
      'The price cache was removed; every request reads prices from Postgres.',
    ],
  ],
  [
    ['Tests and the network', 'Integration tests may call the staging API.'],
    [
      'No network in tests',
      'Integration tests must never call the staging API; use the recorded answers.',
    ],
  ],
  [
    ['Branch names', 'Branches are named after the ticket, like ABC-123-short-title.'],
    [
      'Naming branches',
      'Do not put ticket numbers into branch names; use feat/ or fix/ and two words.',
    ],
  ],
  [
    ['Log level in production', 'Production logs at level info.'],
    [
      'Production logging',
      'Only warnings and errors are logged in production since the disk was full.',
    ],
  ],
  [
    ['Session cookies', 'Session cookies expire after 24 hours.'],
    ['Cookie lifetime', 'A session cookie is valid for 7 days.'],
  ],
  [
    ['Image uploads', 'Uploaded images go to the local disk of the web server.'],
    ['Where uploads are kept', 'Uploaded images are stored in S3, no longer on the web server.'],
  ],
  [
    ['Node version', 'The project needs Node 18; Node 20 breaks the native modules.'],
    ['Node 20', 'The project runs on Node 20 only. Version 18 is not supported.'],
  ],
  [
    ['Order of migrations', 'Run the database migrations before the new code is deployed.'],
    ['Migrations at deployment', 'Database migrations run after the deployment of the new code.'],
  ],
  [
    ['API versions', 'The API version stands in the path, as in /v2/orders.'],
    ['Versioning of the API', 'The API version is sent in the Accept header and not in the path.'],
  ],
  [
    ['Deleting users', 'A deleted user is only marked; the row stays.'],
    ['Removal of users', 'When a user is deleted, the row is removed from the table for good.'],
  ],
  [
    ['CSS', 'Styles are written with Tailwind classes.'],
    ['Tailwind was removed', 'Write styles as CSS modules. Tailwind classes no longer work.'],
  ],
  [
    ['Rate limit of the search API', 'The search API allows 100 requests per minute and client.'],
    ['Search API limits', 'Clients may send 20 search requests per minute.'],
  ],
  [
    ['Flaky login test', 'The login test fails because the mail server is slow; run it again.'],
    [
      'Why the login test fails',
      'The login test is not flaky: the clock of the container was wrong.',
    ],
  ],
  [
    ['Who approves schema changes', 'Schema changes need the approval of the database team.'],
    [
      'Schema changes',
      'Any two developers can approve a schema change; the database team is not asked.',
    ],
  ],
];

/** The later note adds something. Half of the pairs share a subject. */
export const COMPATIBLE: readonly NotePair[] = [
  [
    ['Write lock', 'Writers wait for the lock for 15 seconds, then they give up.'],
    ['Page size', 'Pages of the database have 4 KiB; larger ones made imports slower.'],
  ],
  [
    ['Release day', 'Releases go out on Tuesdays, never on Fridays.'],
    ['Changelog', 'Each release needs an entry in CHANGELOG.md, written for users.'],
  ],
  [
    ['Package manager', 'Use pnpm in this repository; npm breaks the workspace links.'],
    [
      'Colors of charts',
      'Charts take their colors from theme.ts, so that both themes are readable.',
    ],
  ],
  [
    ['Retries of the payment client', 'The payment client retries a failed call three times.'],
    ['Invoices', 'Invoices are rendered by a worker at night and sent as PDF.'],
  ],
  [
    ['Times in the database', 'All times are stored in UTC as ISO 8601 texts.'],
    ['Backups', 'The database is dumped every night, and dumps are kept for 30 days.'],
  ],
  [
    ['Feature flags', 'Feature flags live in the file flags.json and need a deployment.'],
    [
      'Cold starts',
      'The first request after a deployment takes 4 seconds, because templates are compiled.',
    ],
  ],
  [
    ['Cache of prices', 'Prices are cached in Redis for ten minutes.'],
    ['Rounding', 'Amounts are rounded half to even, per line and not per order.'],
  ],
  [
    ['Tests and the network', 'Integration tests may call the staging API.'],
    ['Names of test files', 'Test files end with .spec.ts and stand beside the code.'],
  ],
  [
    ['Branch names', 'Branches are named after the ticket, like ABC-123-short-title.'],
    ['Code review', 'A review is answered within one working day.'],
  ],
  [
    ['Log level in production', 'Production logs at level info.'],
    ['Log format', 'Each log line is one JSON object with the fields time, level and msg.'],
  ],
  [
    ['Session cookies', 'Session cookies expire after 24 hours.'],
    ['Password rules', 'Passwords have at least 12 characters, and nothing else is required.'],
  ],
  [
    ['Image uploads', 'Uploaded images go to the local disk of the web server.'],
    ['Thumbnails', 'Thumbnails are made by sharp, because ImageMagick leaked memory.'],
  ],
  [
    ['Node version', 'The project needs Node 18; Node 20 breaks the native modules.'],
    ['Docker image', 'The image is built from Debian slim; Alpine has no fonts.'],
  ],
  [
    ['Order of migrations', 'Run the database migrations before the new code is deployed.'],
    ['Seeding', 'Run npm run seed to fill a local database with three shops.'],
  ],
  [
    ['API versions', 'The API version stands in the path, as in /v2/orders.'],
    ['Pagination', 'Lists are paginated with a cursor, because offsets became slow.'],
  ],
  [
    ['Deleting users', 'A deleted user is only marked; the row stays.'],
    ['Import of contacts', 'Contacts are imported from CSV with the header name;email.'],
  ],
  [
    ['CSS', 'Styles are written with Tailwind classes.'],
    ['Icons', 'Icons come from Lucide and are imported one by one.'],
  ],
  [
    ['Rate limit of the search API', 'The search API allows 100 requests per minute and client.'],
    ['Search ranking', 'Titles count three times as much as texts in the search index.'],
  ],
  [
    ['Flaky login test', 'The login test fails because the mail server is slow; run it again.'],
    ['Screenshots', 'Visual tests compare screenshots with a tolerance of 0.2 percent.'],
  ],
  [
    ['Who approves schema changes', 'Schema changes need the approval of the database team.'],
    ['On call', 'The pager moves on every Monday at ten.'],
  ],
];

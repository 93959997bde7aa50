/** Short questions and answers typical of projects, for measuring a model's cosines. */
export const CALIBRATION_PAIRS: readonly (readonly [question: string, answer: string])[] = `
How do I run the tests? | npm test runs all of them; npx vitest run <file> runs one file.
Why does the database report that it is locked? | SQLite allows one writer at a time. Set busy_timeout and keep every transaction short.
Which port does the server listen on? | The service binds to 127.0.0.1:3737 unless the variable PORT says otherwise.
How are passwords stored? | Credentials are hashed with argon2id and a salt per user; plain text is never written.
How do I undo a migration? | Run the down script of the last schema change, then delete its row in the table migrations.
What causes the memory leak in the worker? | Listeners were added to the event emitter for each job and never removed, so the heap kept growing.
Why did we leave Redux? | Too much boilerplate for little shared state; React Query and local hooks replaced the store.
How is the Docker image built? | A build in two stages: the first compiles TypeScript, the second copies dist into a slim Node image.
When do access tokens expire? | A JWT is valid for fifteen minutes and is renewed with the refresh token.
How do I add a new API endpoint? | Write a handler in routes, describe its schema, and register it in the router.
What is the naming convention for branches? | feature/, fix/ and chore/, followed by the number of the ticket.
How are images resized? | Sharp makes thumbnails of 200 and 800 pixels in a queue after the upload.
Why is the first request after a deploy slow? | A cold start: the function loads its modules and opens the connection pool first.
Where are feature flags defined? | In flags.yaml; the client reads them at startup and once a minute afterwards.
How do we handle time zones? | Dates are stored in UTC and formatted in the browser with the locale of the user.
Which linter do we use? | Biome checks style and imports; the commit hook runs it on staged files.
How do I reset my local environment? | Remove the containers and volumes with docker compose down -v, then run the seed script.
What happens when a payment fails? | The webhook marks the invoice as unpaid and retries the card after three days.
How is search implemented? | Full-text index with BM25, merged with nearest neighbours of embedding vectors.
Why do we pin the Node version? | Native modules broke after a minor update, so .nvmrc and the CI image name the same release.
How do I debug a failing pipeline? | Open the job's artifacts, look at the trace of the first red step, and rerun it with SSH enabled.
Who may approve a release? | Two maintainers must sign off; one of them must belong to the platform team.
How are emails sent? | Templates are rendered with MJML and delivered through SES from a background job.
What is the retry policy of the HTTP client? | Three attempts with exponential backoff and jitter; POST is only repeated with an idempotency key.
How large may an upload be? | Files above 25 MB are refused by the proxy with status 413.
Why is the test suite flaky? | Playwright started before the dev server was ready; wait for the health check instead of sleeping.
How do I make the app accessible? | Give each control a label, keep the focus visible, and test with axe and a screen reader.
Where do we log errors? | Exceptions go to Sentry with the release and the request id, without personal data.
How does the cache get invalidated? | Writing a record deletes its key in Redis; everything else expires after an hour.
What is the folder structure of the frontend? | One directory per feature, with its components, hooks and tests beside each other.
How do I rotate the API keys? | Create a second secret in the vault, deploy, then revoke the old one.
Why are circular imports forbidden? | Modules that need each other were undefined at load time; dependency-cruiser now rejects them.
How is user input validated? | Every body is parsed by a zod schema before the controller sees it.
What does the nightly job do? | A cron at 02:00 aggregates the statistics of the day and removes expired sessions.
How do we translate the interface? | Strings live in JSON catalogues by locale; missing keys fall back to English.
Which browsers are supported? | The last two versions of Chrome, Firefox, Safari and Edge.
How is the backup restored? | Download the latest dump from S3 and load it with pg_restore into an empty database.
Why was GraphQL chosen? | Mobile screens needed many small requests; one query now fetches exactly the fields they show.
How do I simulate a slow network? | Throttle the connection in the developer tools, or use toxiproxy between the services.
What limits the rate of requests? | A token bucket per client in Redis: one hundred calls a minute, then status 429.
How are websockets scaled? | Messages pass through a pub/sub channel so that any instance can reach a connected client.
Why did the order of results change? | Ties in the score were broken by insertion order; they are now sorted by id.
How do I write a good commit message? | An imperative subject below 72 characters, and a body that explains the reason.
Where are environment variables documented? | The README has a table of them; .env.example holds safe defaults.
How do we avoid SQL injection? | Values are always bound as parameters; strings are never concatenated into a statement.
What is the definition of done? | Reviewed, tested, documented, and running in staging without alerts for a day.
How does login with Google work? | OAuth with PKCE: the callback exchanges the code and links the account by verified address.
Why is the bundle so big? | moment.js and all its locales were included; date-fns and lazy routes halved it.
How are roles and permissions checked? | Middleware compares the claims of the session with the policy of the resource.
What should I do after an incident? | Write a blameless postmortem within two days, with a timeline and follow-up tasks.
How do I profile CPU usage? | Start node with --cpu-prof and open the file in the performance panel.
How is the design system versioned? | Tokens and components are published as a package with semantic releases.
Why do we use a monorepo? | Shared types and one pipeline; Turborepo builds only what changed.
How do feature branches get a preview? | Each pull request deploys to a temporary URL that is removed when it is merged.
What is stored in local storage? | Only the theme and the width of the sidebar; never tokens.
How are race conditions in the queue prevented? | Workers take a row with SELECT FOR UPDATE SKIP LOCKED and a visibility timeout.
How do I import data from CSV? | The wizard maps columns, validates each row, and reports the lines that were skipped.
When is a record really deleted? | Soft deletion sets deleted_at; a purge removes it after thirty days.
How do agents pick the next task? | They take the oldest unblocked feature of the board whose dependencies are complete.
Why does the parser reject trailing commas? | The configuration is strict JSON; comments and commas need the jsonc reader.
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '))
  .map(([question = '', answer = '']) => [question, answer] as const);

/** What `--help` prints; `docs/configuration.md` says more. */
export const USAGE = `knowledge-store: a per-project knowledge store for coding agents, over REST.

Usage: npm start            (or: node dist/main.js)

Environment:
  KNOWLEDGE_VARIANT     hybrid (default) or search-only
  HOST, PORT            where it listens (127.0.0.1, 3737); PORT=0 picks a free port
  KNOWLEDGE_APP_DIR     name of the application directory in each project (.knowledge)
  KNOWLEDGE_ROOTS       directories whose projects may be served, with ":" between them (all)
  KNOWLEDGE_TOKEN       bearer token that requests must bring (none)
  DATA_DIR              holds the embedding model in DATA_DIR/models (./data)
  KNOWLEDGE_MODEL       embedding model (Xenova/all-MiniLM-L6-v2)
  KNOWLEDGE_MODEL_HOST  hub or mirror that the model is downloaded from
  KNOWLEDGE_OFFLINE     1 forbids the download
  OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL
                        small language model for questions, compaction and lessons (none)
  KNOWLEDGE_LOG_LEVEL   debug, info (default), warn, error or silent
`;

import { KnowledgeError } from '../../../domain/errors.js';
import type { InstalledModel, ModelList } from '../command-line-parts.js';
import { downloadModel } from '../model.js';
import type { Needs } from '../runner.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import { printableLine, sized } from '../text/format.js';
import { type Declare, examples } from './project-command.js';

type ModelsOptions = Pick<ProjectOptions, 'json'>;

const LISTS: Needs = { access: 'nothing', model: 'unused' };
/** What goes wrong is the error of the command. */
const DOWNLOADS: Needs = { access: 'nothing', model: 'downloaded', logLevel: 'error' };

/** `models`: the embedding models of this machine. */
const models: Declare = (command, { runner }) => {
  command.description(
    'Embedding models are kept in the folder models of DATA_DIR. KNOWLEDGE_MODEL names the one that is used.',
  );
  command
    .command('list', { isDefault: true })
    .summary('list the installed models (default)')
    .description('Lists the models in DATA_DIR, and the one that KNOWLEDGE_MODEL names.')
    .option('--json', 'print the list as JSON, and nothing else')
    .action((options: ModelsOptions) => runner.run(options, LISTS, list));
  command
    .command('pull')
    .summary('download the model that KNOWLEDGE_MODEL names')
    .description(
      'Downloads the model that KNOWLEDGE_MODEL names, unless it is installed, and tries it out.',
    )
    .option('--json', 'print the model as JSON, and nothing else')
    .addHelpText('after', examples('models pull'))
    .action((options: ModelsOptions) => runner.run(options, DOWNLOADS, pull));
};

export const commands = { models };

async function list(session: Session): Promise<void> {
  const body = await session.operations.listModels();
  await session.print(body, () => modelsText(session, body));
}

async function pull(session: Session): Promise<void> {
  await downloadModel(session);
  const { models } = await session.operations.listModels();
  const model = models.find(({ configured }) => configured);
  if (model === undefined) throw new KnowledgeError('model_unavailable', 'There is no model.');
  await session.print(model, readyText);
}

function readyText({ name, bytes }: InstalledModel): string {
  return `${printableLine(name)} is ready (${sized(bytes)}).`;
}

async function modelsText(session: Session, { directory, models: found }: ModelList) {
  const { table } = await import('../text/layout.js');
  const { styles, columns } = viewOf(session);
  const rows = found.map((model) => [
    printableLine(model.name),
    sized(model.bytes),
    stateOf(model),
  ]);
  const titles = [{ title: 'model' }, { title: 'size', align: 'right' }, { title: '' }] as const;
  const list = table(titles, rows, { width: columns, title: styles.dim });
  return `${list}\n\nfolder  ${printableLine(directory)}`;
}

function stateOf({ configured, complete }: InstalledModel): string {
  if (configured) return complete ? 'in use' : 'not installed; "knowledge-store models pull"';
  return complete ? '' : 'incomplete';
}

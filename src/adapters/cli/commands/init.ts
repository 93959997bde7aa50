import type { SetupReport } from '../../../ports/driving/setup-service.js';
import type { ProjectOptions } from '../session.js';
import { type Declare, examples, WRITES } from './project-command.js';

/** `init`: writes the recommended settings of a project. */
const init: Declare = (command, { runner }) => {
  command
    .description(
      'Writes the settings that were measured to find most into settings.json of the application directory. What the file already says stays.',
    )
    .option('-p, --project <directory>', 'the project; default: found from the working directory')
    .option('--json', 'print what was done as JSON, and nothing else')
    .addHelpText('after', examples('init', 'init --project ~/projects/shop'))
    .action((options: ProjectOptions) =>
      runner.run(options, WRITES, async (session) => {
        const { operations, project } = session;
        const report = await operations.writeSettings(project.path);
        await session.print(report, () => setupText(report));
        if (session.showsText) session.note('Next: "knowledge-store ingest" indexes the project.');
      }),
    );
};

export const commands = { init };

function setupText({ settingsFile, added, kept }: SetupReport): string {
  if (added.length === 0) return `${settingsFile} is complete: nothing was changed.`;
  const end = kept.length === 0 ? '' : ` Kept: ${kept.join(', ')}.`;
  return `${settingsFile} now sets ${added.join(' and ')}.${end}`;
}

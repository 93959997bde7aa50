import type { Diagnosis } from '../../../ports/driving/recovery-service.js';
import type { Needs } from '../runner.js';
import type { ProjectOptions, Session } from '../session.js';
import { printableLine } from '../text/format.js';
import { type Declare, examples, withProjectOptions } from './project-command.js';

/** A repair reads the sources of a damaged store again; their vectors are made later. */
const NEEDS: Needs = { access: 'writes', model: 'installed' };

interface DoctorOptions extends ProjectOptions {
  readonly repair?: boolean;
}

/** `doctor`: `POST /api/knowledge/x/doctor`. */
const doctor: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description(
      'Checks every page, index and vector of the store and says what is wrong. Ends with 1 if something is left to do.',
    )
    .option('--repair', 'repair what can be repaired')
    .addHelpText('after', examples('doctor', 'doctor --repair'))
    .action((options: DoctorOptions) =>
      runner.run(options, NEEDS, (session) => diagnose(session, options)),
    );
};

export const commands = { doctor };

async function diagnose(session: Session, { repair }: DoctorOptions): Promise<void> {
  const body = await session.call<Diagnosis>('POST /api/knowledge/x/doctor', { repair });
  await session.print(body, () => diagnosisText(body));
  if (body.healthy) return;
  const canRepair = body.problems.some(({ state }) => state === 'mendable' || state === 'damaged');
  throw new Error(
    canRepair && repair !== true
      ? 'Something is wrong; "knowledge-store doctor --repair" repairs it.'
      : 'Something is wrong that needs you; see above.',
  );
}

function diagnosisText({ healthy, problems, notes }: Diagnosis): string {
  const lines = problems.map(({ problem, advice, state }) =>
    printableLine(`${MARKS[state]} ${problem} ${advice}`),
  );
  const all = healthy ? 'The store is healthy.' : undefined;
  return [...lines, ...notes.map((note) => printableLine(`- ${note}`)), ...(all ? [all] : [])].join(
    '\n',
  );
}

const MARKS: Readonly<Record<Diagnosis['problems'][number]['state'], string>> = {
  mended: 'repaired:',
  mendable: 'problem:',
  manual: 'problem:',
  damaged: 'damaged:',
};

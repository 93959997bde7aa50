import { ChunkLink } from '../shared/parts.js';
import type { SavedNote } from './saving.js';

interface SavedReportProps {
  readonly project: string;
  readonly saved: SavedNote;
}

/** Reports that a note was saved, with warnings and similar notes. */
export function SavedReport({ project, saved }: SavedReportProps) {
  const { warnings = [], similarTo = [] } = saved;
  return (
    <div class="notice good" role="status">
      <p>Saved. {findability(saved)}</p>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {similarTo.length > 0 && (
        <ul class="plain">
          {similarTo.map(({ id, text }) => (
            <li key={id}>
              <ChunkLink project={project} id={id}>
                <span class="clamped">{text}</span>
              </ChunkLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function findability({ chunks, expired }: SavedNote): string {
  if (expired) return 'It has expired, so searches leave it out.';
  return chunks > 0 ? 'Searches find it now.' : 'It has no searchable text.';
}

import { Preformatted } from '../shared/parts.js';

interface SideBySideProps {
  readonly before: string;
  readonly after: string | undefined;
}

/** The text of a category, and beside it what replaced it. */
export function SideBySide({ before, after }: SideBySideProps) {
  return (
    <div class="panels">
      <section aria-label={after === undefined ? 'Text' : 'Text before'}>
        <h3>{after === undefined ? 'Now' : 'Before'}</h3>
        <Preformatted text={before} />
      </section>
      {after !== undefined && (
        <section aria-label="Text after">
          <h3>After</h3>
          <Preformatted text={after} />
        </section>
      )}
    </div>
  );
}

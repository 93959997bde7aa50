import type { Found } from './found.js';

/** Shows how the query was read, the mode of the search, and the notes on its results. */
export function Reading({ found }: { readonly found: Found }) {
  const { query, mode, candidates, fusion, notes, reranking } = found.explain;
  const isNoted = notes.some(({ sentence }) => sentence.startsWith(mode.reason));
  return (
    <div class="reading">
      <p>
        Read as {query.kind === 'plain' ? 'plain words' : 'an expression'}:{' '}
        {query.terms.length === 0 && 'no words to search for'}
        {query.terms.map((term) => (
          <bdi key={term} class="term">
            {term}
          </bdi>
        ))}
      </p>
      <p class="muted">
        {!isNoted && mode.reason}{' '}
        {fusion && `Merged by ${fusion === 'rrf' ? 'rank' : 'score'} (${fusion}).`}{' '}
        {partsOf(candidates).join(', ')}. {reranking}
      </p>
      {notes
        .filter(({ code }) => code !== 'budget')
        .map(({ code, sentence }) => (
          <p key={code} class="notice">
            {sentence}
          </p>
        ))}
    </div>
  );
}

function partsOf(candidates: Found['explain']['candidates']): readonly string[] {
  const { structured, anyWord, withVector, vectorOnly } = candidates;
  const parts: readonly (readonly [number | undefined, string])[] = [
    [structured, 'match the expression'],
    [anyWord, 'with some of the words'],
    [vectorOnly, 'found by meaning alone'],
    [withVector, 'ranked by meaning'],
  ];
  const said = parts.flatMap(([number, what]) => (number ? [`${number} ${what}`] : []));
  return said.length === 0 ? ['No candidates'] : [`Candidates: ${said[0]}`, ...said.slice(1)];
}

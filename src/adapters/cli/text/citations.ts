import { type CitationReport, citationSentence } from '../../../domain/citations/told-citation.js';
import { printableLine } from './format.js';

/** What has become of the files that a chunk cites, as far as there is something to tell. */
export function citationSentences({ citations = [] }: CitationReport): readonly string[] {
  return citations.flatMap((citation) => {
    const sentence = citationSentence(citation);
    return sentence === undefined ? [] : [printableLine(sentence)];
  });
}

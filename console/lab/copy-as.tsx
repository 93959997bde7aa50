import { useState } from 'preact/hooks';
import { Preformatted } from '../shared/parts.js';
import { libraryCodeOf, mcpCallOf, searchCurl } from './code.js';
import { agentSearchOf, type LabState } from './lab-state.js';

interface CopyAsProps {
  readonly project: string;
  readonly state: LabState;
}

/** Shows the search as a shell command, as code and as an MCP call, to be copied. */
export function CopyAs({ project, state }: CopyAsProps) {
  const search = agentSearchOf(project, state);
  const origin = new URL('.', document.baseURI).href.replace(/\/$/, '');
  return (
    <details class="copy">
      <summary>Copy this search</summary>
      <div class="codes">
        <Code title="curl" text={searchCurl(search, origin)} />
        <Code title="Library" text={libraryCodeOf(search)} />
        <Code title="MCP call" text={mcpCallOf(search)} />
      </div>
    </details>
  );
}

interface CodeProps {
  readonly title: string;
  readonly text: string;
}

function Code({ title, text }: CodeProps) {
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    // Browsers offer the clipboard only to local pages and over https.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(isCopied ? 'Copied' : 'Select the text and copy it');
  };
  return (
    <section aria-label={title}>
      <h3>
        {title}
        <button type="button" onClick={copy} aria-label={`Copy as ${title}`}>
          Copy
        </button>
        <span role="status">{outcome}</span>
      </h3>
      <Preformatted text={text} />
    </section>
  );
}

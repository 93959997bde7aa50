import { render } from 'preact';
import { ApiPage } from './api/api-page.js';
import { usePlace } from './shared/place.js';
import { applyTheme, storedTheme } from './shared/theme.js';

/** The description of the API as a page of its own, which a service without the console also has. */
function Docs() {
  return <ApiPage at={usePlace().fields['at']} />;
}

applyTheme(storedTheme());
const root = document.getElementById('app');
if (root !== null) render(<Docs />, root);

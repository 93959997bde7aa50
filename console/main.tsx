import { render } from 'preact';
import { App } from './app/app.js';
import { applyTheme, storedTheme } from './shared/theme.js';

applyTheme(storedTheme());
const root = document.getElementById('app');
if (root !== null) render(<App />, root);

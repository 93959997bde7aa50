import { hrefOf, type Place } from '../shared/place.js';
import type { Theme } from '../shared/theme.js';
import { PAGES } from './pages.js';
import { ProjectField } from './project-field.js';

interface HeaderProps {
  readonly place: Place;
  readonly theme: Theme;
  readonly onTheme: () => void;
  readonly onHelp: () => void;
}

export function Header({ place, theme, onTheme, onHelp }: HeaderProps) {
  const { project } = place.fields;
  return (
    <header class="top">
      <a class="brand" href={hrefOf({ page: 'projects', fields: {} })}>
        knowledge-store
      </a>
      <nav aria-label="Pages">
        {Object.entries(PAGES).map(([name, { title }]) => (
          <a
            key={name}
            href={hrefOf({ page: name, fields: { project } })}
            aria-current={name === place.page ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {project && <ProjectField key={project} page={place.page} project={project} />}
      <div class="tools">
        <button type="button" class="quiet" onClick={onTheme} aria-label={`Theme: ${theme}`}>
          {THEME_SIGNS[theme]}
        </button>
        <button type="button" class="quiet" onClick={onHelp} aria-label="Help: keys">
          ?
        </button>
      </div>
    </header>
  );
}

const THEME_SIGNS: Readonly<Record<Theme, string>> = { auto: 'Auto', light: 'Light', dark: 'Dark' };

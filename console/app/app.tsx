import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useKeys } from '../shared/keys.js';
import { currentPlace, FIRST_PAGE, goTo, type Place, useVisit } from '../shared/place.js';
import { recentProjects, rememberProject } from '../shared/recent.js';
import { applyTheme, storedTheme, themeAfter } from '../shared/theme.js';
import { Header } from './header.js';
import { Help } from './help.js';
import { LeaveQuestion } from './leave-question.js';
import { PAGES, pageOf } from './pages.js';
import { ProjectGate } from './project-gate.js';

/** The frame of every page. Chooses the page and the project, and handles the theme and the keys. */
export function App() {
  const visit = useVisit();
  const place = placeWithProject(visit.place);
  const [theme, setTheme] = useState(storedTheme);
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => applyTheme(theme), [theme]);
  const toggleTheme = useCallback(() => setTheme(themeAfter), []);
  const showHelp = useCallback(() => help.current?.showModal(), []);
  useKeys(useMemo(() => ({ goToPage, toggleTheme, showHelp }), [toggleTheme, showHelp]));
  const page = pageOf(place.page);
  const { project, ...fields } = place.fields;
  useEffect(() => {
    document.title = `${page.title} · knowledge-store`;
  }, [page]);
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        Skip to the content
      </button>
      <Header place={place} theme={theme} onTheme={toggleTheme} onHelp={showHelp} />
      <main id="main" tabIndex={-1}>
        {page.needsNoProject ? (
          <page.view project="" fields={fields} />
        ) : (
          <ProjectGate key={project} project={project} onOpen={rememberProject}>
            {(path) => <page.view project={path} fields={fields} />}
          </ProjectGate>
        )}
      </main>
      <Help dialog={help} />
      <LeaveQuestion visit={visit} />
    </>
  );
}

/** Adds the last viewed project to an address that names none. */
function placeWithProject({ page, fields }: Place): Place {
  const project = fields['project'] ?? recentProjects()[0];
  return { page: page || FIRST_PAGE, fields: { ...fields, project } };
}

function goToPage(initial: string): void {
  const name = Object.keys(PAGES).find((page) => PAGES[page]?.key === initial);
  const { project } = placeWithProject(currentPlace()).fields;
  if (name !== undefined) goTo({ page: name, fields: { project } });
}

/** Used instead of a link, since `#main` would be taken for the address of a page. */
function focusMain(): void {
  document.getElementById('main')?.focus();
}

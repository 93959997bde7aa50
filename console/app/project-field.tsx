import { useState } from 'preact/hooks';
import { FIRST_PAGE, goTo } from '../shared/place.js';
import { recentProjects } from '../shared/recent.js';

interface ProjectFieldProps {
  readonly page: string;
  readonly project?: string;
}

/** Shows the absolute path of the current project, and opens another one. */
export function ProjectField({ page, project = '' }: ProjectFieldProps) {
  const [path, setPath] = useState(project);
  const open = (event: Event) => {
    event.preventDefault();
    const chosen = path.trim();
    const target = page === 'chunk' ? 'project' : page || FIRST_PAGE;
    if (chosen !== '' && chosen !== project) goTo({ page: target, fields: { project: chosen } });
  };
  return (
    <form class="project" onSubmit={open}>
      <label>
        <span>Project</span>
        <input
          aria-label="Project"
          list="recent-projects"
          value={path}
          onInput={({ currentTarget }) => setPath(currentTarget.value)}
          placeholder="/absolute/path/to/a/project"
          pattern="(/|[A-Za-z]:).*"
          title="The whole path, starting with /; ~ works only in a shell."
          spellcheck={false}
          autocomplete="off"
        />
      </label>
      <datalist id="recent-projects">
        {recentProjects().map((recent) => (
          <option key={recent} value={recent} />
        ))}
      </datalist>
      {path.trim() !== project && <button type="submit">Open</button>}
    </form>
  );
}

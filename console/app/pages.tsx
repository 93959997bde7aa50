import type { ComponentType } from 'preact';
import { LabPage } from '../lab/lab-page.js';
import type { PageProps } from '../shared/page-props.js';

interface PageEntry {
  readonly title: string;
  /** Of `g` and this letter. */
  readonly key: string;
  readonly view: ComponentType<PageProps>;
}

/** The pages of the navigation, in its order. */
export const PAGES: Readonly<Record<string, PageEntry>> = {
  search: { title: 'Search lab', key: 's', view: LabPage },
};

export const FIRST_PAGE = 'search';

import { KnowledgeError } from '../../domain/errors.js';
import { readLessons, withLessons } from '../../domain/lessons/category-text.js';
import {
  type LessonWords,
  lessonWords,
  saysTheSame,
} from '../../domain/lessons/lesson-similarity.js';
import {
  type Lesson,
  oneLine,
  type TidyLesson,
  textOfLesson,
  tidyLesson,
} from '../../domain/lessons/lesson-text.js';
import { documentNames, isCategoryDocument, memoryFolder } from '../../domain/project-layout.js';
import { isCategoryName } from '../../domain/upkeep/categories.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFiles } from '../../ports/project-files.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { EditOutcome, MemoryFolder } from '../upkeep/memory-folder.js';

export interface LessonIntakeOptions {
  readonly files: ProjectFiles;
  readonly appDirs: AppDirectories;
  readonly memory: MemoryFolder;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Intake {
  /** Number of lessons with text. */
  readonly found: number;
  /** The lessons with text, without duplicates among them. Some may already be in the memory. */
  readonly distinct: readonly TidyLesson[];
  readonly added: number;
  readonly duplicates: number;
  readonly grown: readonly GrownCategory[];
}

export interface GrownCategory {
  readonly name: string;
  readonly text: string;
}

/** Adds new lessons to the memory categories. */
export class LessonIntake {
  readonly #options: LessonIntakeOptions;

  constructor(options: LessonIntakeOptions) {
    this.#options = options;
  }

  async take(project: OpenProject, featureId: string, lessons: readonly Lesson[]): Promise<Intake> {
    const offers = lessons.flatMap(toOffer);
    const distinct = offers.filter((offer, index) => !isAmong(offer, offers.slice(0, index)));
    const known = distinct.length === 0 ? [] : await this.#lessonsInMemory(project);
    const newOffers = distinct.filter((offer) => !isAmong(offer, known));
    const outcomes: Outcome[] = [];
    for (const category of [...new Set(newOffers.map((offer) => offer.category))].sort()) {
      const offered = newOffers.filter((offer) => offer.category === category);
      outcomes.push(await this.#append(project, { category, featureId, offered }));
    }
    const added = total(outcomes.map((outcome) => outcome.added));
    const refused = total(outcomes.map((outcome) => outcome.refused));
    return {
      found: offers.length,
      distinct: distinct.map(({ lesson }) => lesson),
      added,
      duplicates: offers.length - added - refused,
      grown: outcomes.flatMap(({ grown }) => (grown === undefined ? [] : [grown])),
    };
  }

  async #lessonsInMemory({ path }: Project): Promise<readonly KnownLesson[]> {
    const { files, appDirs } = this.#options;
    const folder = memoryFolder(appDirs.of(path));
    const { paths } = await files.listFolder(path, folder);
    const known: KnownLesson[] = [];
    for (const name of documentNames(paths).filter(isCategoryDocument)) {
      const reading = await files.readText(path, `${folder}/${name}.md`);
      if (reading !== undefined && 'text' in reading) known.push(...knownLessons(reading.text));
    }
    return known;
  }

  /** Adds lessons to a category. Compares them once more with its text, which may have changed since. */
  async #append(
    project: OpenProject,
    { category, featureId, offered }: CategoryOffers,
  ): Promise<Outcome> {
    const date = this.#options.clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const feature = oneLine(featureId);
    let added = 0;
    const outcome = await this.#edit(project, category, (text) => {
      const news = offered.filter((offer) => !isAmong(offer, knownLessons(text)));
      added = news.length;
      const lessons = news.map(({ lesson }) => lesson);
      return withLessons(text, { category, date, feature, lessons });
    });
    if ('skipped' in outcome) return this.#refuse(category, outcome.skipped, offered.length);
    if (added === 0) return { added, refused: 0 };
    return { added, refused: 0, grown: { name: category, text: outcome.text } };
  }

  /** Edits a category. One that may not be written is skipped, like one that may not be read. */
  async #edit(
    project: OpenProject,
    category: string,
    edit: (text: string) => string,
  ): Promise<EditOutcome> {
    try {
      return await this.#options.memory.editCategory(project, category, edit);
    } catch (error) {
      if (!(error instanceof KnowledgeError) || error.code !== 'path_not_allowed') throw error;
      return { skipped: error.message };
    }
  }

  #refuse(category: string, reason: string, lessons: number): Outcome {
    this.#options.logger.warn(
      'A memory category could not be changed, so its lessons were not stored.',
      {
        category,
        reason,
        lessons,
      },
    );
    return { added: 0, refused: lessons };
  }
}

/** Category for lessons whose own is not a category name (docs/specification.md, "Lessons and features"). */
const CATCH_ALL = 'gotchas';

interface KnownLesson {
  readonly words: LessonWords;
}

interface Offer extends KnownLesson {
  readonly category: string;
  readonly lesson: TidyLesson;
}

interface CategoryOffers {
  readonly category: string;
  readonly featureId: string;
  readonly offered: readonly Offer[];
}

interface Outcome {
  readonly added: number;
  readonly refused: number;
  readonly grown?: GrownCategory;
}

function toOffer(found: Lesson): readonly Offer[] {
  const lesson = tidyLesson(found);
  if (lesson === undefined) return [];
  const category = isCategoryName(found.category) ? found.category : CATCH_ALL;
  return [{ category, lesson, words: lessonWords(textOfLesson(lesson)) }];
}

function knownLessons(category: string): readonly KnownLesson[] {
  return readLessons(category).map((lesson) => ({ words: lessonWords(lesson) }));
}

function isAmong(offer: Offer, others: readonly KnownLesson[]): boolean {
  return others.some(({ words }) => saysTheSame(words, offer.words));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

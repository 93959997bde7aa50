import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planSource } from '../../src/domain/chunks/source-plan.js';
import { document } from '../support/chunks.js';
import { runs } from '../support/seed.js';

const text = fc.constantFrom('x', 'y', 'z');
const scene = fc.record({
  texts: fc.array(text, { maxLength: 8 }),
  before: fc.array(text, { maxLength: 8 }),
  taken: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 2 }),
});

it('plans any source: every free draft and every chunk once, equal texts kept, in place if they can', () => {
  fc.assert(
    fc.property(scene, (given) => {
      const { plan, existing, takenIds } = planned(given);
      const ids = [...plan.kept, ...plan.added].map(({ id }) => id).toSorted();
      const free = given.texts.map((_, i) => `a#${i}`).filter((id) => !takenIds.has(id));
      expect(ids).toEqual(free);

      const used = [...plan.kept.map((kept) => kept.existing), ...plan.dropped];
      expect(used.map(({ id }) => id).toSorted()).toEqual(existing.map(({ id }) => id));

      for (const { draft, existing: former } of plan.kept)
        expect(former.content).toBe(draft.content);
      const added = new Set(plan.added.map(({ draft }) => draft.content));
      for (const { content } of plan.dropped) expect(added).not.toContain(content);

      for (const chunk of existing) {
        const stays = given.texts[placeOf(chunk.id)] === chunk.content;
        const kept = plan.kept.find(({ id }) => id === chunk.id);
        if (stays) expect(kept?.existing.id).toBe(chunk.id);
      }
    }),
    runs(500),
  );
});

function planned({ texts, before, taken }: Given) {
  const takenIds = new Set(taken.map((place) => `a#${place}`));
  const existing = before
    .map((content, place) => ({ id: `a#${place}`, content }))
    .filter(({ id }) => !takenIds.has(id));
  const plan = planSource({ document: document('a', texts), existing, takenIds });
  return { plan, existing, takenIds };
}

function placeOf(id: string): number {
  return Number(id.slice(2));
}

interface Given {
  readonly texts: readonly string[];
  readonly before: readonly string[];
  readonly taken: readonly number[];
}

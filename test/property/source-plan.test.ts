import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planSource } from '../../src/domain/chunks/source-plan.js';
import { document } from '../support/chunks.js';
import { runs } from '../support/seed.js';

const text = fc.constantFrom('x', 'y', 'z');
const scene = fc.record({
  texts: fc.array(text, { maxLength: 8 }),
  before: fc.array(text, { maxLength: 8 }),
});

it('plans any source: every draft and every chunk once, equal texts kept, in place if they can', () => {
  fc.assert(
    fc.property(scene, (given) => {
      const { plan, existing } = planned(given);
      const ids = [...plan.kept, ...plan.added].map(({ id }) => id).toSorted();
      expect(ids).toEqual(given.texts.map((_, i) => `a#${i}`));

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

function planned({ texts, before }: Given) {
  const existing = before.map((content, place) => ({ id: `a#${place}`, content }));
  return { plan: planSource({ document: document('a', texts), existing }), existing };
}

function placeOf(id: string): number {
  return Number(id.slice(2));
}

interface Given {
  readonly texts: readonly string[];
  readonly before: readonly string[];
}

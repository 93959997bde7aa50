import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { oldNodeRefusal } from '../../../src/process/node-version.js';

it.each(['16.20.2', '18.20.8', '19.9.0'])('Node %s is refused in one sentence', (version) => {
  expect(oldNodeRefusal(version)).toBe(`Node 20 or newer is needed; this is Node ${version}.`);
});

it.each(['20.0.0', '22.14.0', '100.1.0'])('Node %s is new enough', (version) => {
  expect(oldNodeRefusal(version)).toBeUndefined();
});

it('the package asks for the same version', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(engines.node).toBe('>=20');
});

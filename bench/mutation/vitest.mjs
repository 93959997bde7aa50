import {
  ASYMMETRIC_MATCHERS_OBJECT,
  ChaiStyleAssertions,
  chai,
  customMatchers,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import { getCurrentTest } from '@vitest/runner';

export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  onTestFinished,
  test,
} from '@vitest/runner';

/** The parts of vitest that tests import, without its processes. Running in this process makes the tests fast. */
for (const plugin of [JestExtend, JestChaiExpect, ChaiStyleAssertions, JestAsymmetricMatchers]) {
  chai.use(plugin);
}

export const expect = Object.assign(
  (value, message) => chai.expect(value, message).withTest(getCurrentTest()),
  chai.expect,
  globalThis[ASYMMETRIC_MATCHERS_OBJECT],
  { getState: () => getState(expect), setState: (state) => setState(state, expect) },
);
expect.extend = (matchers) => chai.expect.extend(expect, matchers);
setState({ assertionCalls: 0, ...getState(globalThis[GLOBAL_EXPECT]) }, expect);
Object.defineProperty(globalThis, GLOBAL_EXPECT, {
  value: expect,
  writable: true,
  configurable: true,
});
expect.extend(customMatchers);

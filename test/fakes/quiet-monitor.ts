import type { Monitor } from '../../src/adapters/http/server/monitor.js';
import type { MeasuredRequest } from '../../src/ports/metrics.js';

/** Has nothing to report, and remembers what was reported to it. */
export class QuietMonitor implements Monitor {
  readonly requests: MeasuredRequest[] = [];

  async readiness() {
    return { stores: { open: 0 }, model: { name: 'a/model', state: 'idle' as const } };
  }

  async metrics(): Promise<string> {
    return 'knowledge_requests_in_progress 0\n';
  }

  served(request: MeasuredRequest): void {
    this.requests.push(request);
  }
}

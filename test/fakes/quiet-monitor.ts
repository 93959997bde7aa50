import type { Monitor, ServedRequest } from '../../src/adapters/http/server/monitor.js';

/** Has nothing to report, and remembers what was reported to it. */
export class QuietMonitor implements Monitor {
  readonly requests: ServedRequest[] = [];

  async readiness() {
    return { stores: { open: 0 }, model: { name: 'a/model', state: 'idle' as const } };
  }

  async metrics(): Promise<string> {
    return 'knowledge_requests_in_progress 0\n';
  }

  served(request: ServedRequest): void {
    this.requests.push(request);
  }
}

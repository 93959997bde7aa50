/** The ways in which a page can send a request to another origin. */
export const ATTEMPTS = [
  'json-post',
  'text-plain-post',
  'no-cors-post',
  'form-post',
  'beacon',
  'cors-get',
  'no-cors-get',
  'image-get',
  'frame-get',
] as const;

/** What the page saw, keyed by attempt. */
export type AttackReport = Readonly<Record<string, string>>;

/** A page that tries every attempt and collects the outcomes in `report`. */
export const ATTACK_PAGE = `<!doctype html><meta charset="utf-8"><title>attack</title><body><script>
const { target, root } = Object.fromEntries(new URLSearchParams(location.search));
const fieldsOf = (name) => ({ projectPath: root + '/' + name });
const post = (name, init) => fetch(target + '/api/knowledge/rebuild',
  { method: 'POST', body: JSON.stringify(fieldsOf(name)), ...init });
const get = (name) => target + '/api/knowledge/stats?' + new URLSearchParams(fieldsOf(name));
const seen = async (response) => response.type === 'opaque' ? 'opaque' : 'read ' + response.status;
const loaded = (element, url) => new Promise((resolve) => {
  element.onload = () => resolve('loaded'); element.onerror = () => resolve('failed');
  element.src = url; document.body.append(element);
});
const attempts = {
  'json-post': (n) => post(n, { headers: { 'Content-Type': 'application/json' } }).then(seen),
  'text-plain-post': (n) => post(n, { headers: { 'Content-Type': 'text/plain' } }).then(seen),
  'no-cors-post': (n) => post(n, { mode: 'no-cors' }).then(seen),
  'form-post': (n) => new Promise((resolve) => {
    const frame = document.createElement('iframe'); frame.name = n; document.body.append(frame);
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', enctype: 'text/plain', target: n, action: target + '/api/knowledge/rebuild' });
    const input = document.createElement('input');
    Object.assign(input, { name: JSON.stringify(fieldsOf(n)).slice(0, -1) + ',"x":"', value: '"}' });
    form.append(input); document.body.append(form); frame.onload = () => resolve('sent'); form.submit();
  }),
  beacon: async (n) => navigator.sendBeacon(target + '/api/knowledge/rebuild', JSON.stringify(fieldsOf(n))) ? 'sent' : 'failed',
  'cors-get': (n) => fetch(get(n)).then(seen),
  'no-cors-get': (n) => fetch(get(n), { mode: 'no-cors' }).then(seen),
  'image-get': (n) => loaded(new Image(), get(n)),
  'frame-get': async (n) => {
    const frame = document.createElement('iframe');
    await loaded(frame, get(n));
    try { return 'read ' + frame.contentDocument.body.textContent.slice(0, 20); } catch { return 'closed'; }
  },
};
const late = new Promise((resolve) => setTimeout(() => resolve('no answer'), 8000));
const report = (async () => {
  const report = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    report[name] = await Promise.race([attempt(name).catch((error) => 'blocked: ' + error.name), late]);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return report;
})();
</script></body>`;

import { expect } from 'vitest';
import { document, draft } from '../../support/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { anyWordOf, found, ingest, scoresOf } from '../harness/steps.js';

/** Words are found that an index of the stored text lacks. */
export function declareSideWords({ it, subject }: Suite): void {
  it.each([
    ['PostgreSQL', ZH],
    ['Redis', ZH],
    ['E11000', ZH],
    ['8080', ZH],
    ['postgre*', ZH],
    ['PostgreSQL AND Redis', ZH],
    ['verifyToken', '関数verifyTokenが認証を確認する。'],
    ['docker', '이서비스는Docker에서실행된다'],
    ['nginx', 'ตั้งค่าNginxใหม่'],
  ])('finds the word %s inside a run of other letters', expectFound);

  it.each([
    ['ฐานข้อมูล', 'ระบบเชื่อมต่อฐานข้อมูลล้มเหลว'],
    ['ล้มเหลว', 'ระบบเชื่อมต่อฐานข้อมูลล้มเหลว'],
    ['ទិន្នន័យ', 'មូលដ្ឋានទិន្នន័យថ្មី'],
    ['ຂໍ້ມູນ', 'ຖານຂໍ້ມູນໃໝ່'],
    ['ဒေတာ', 'အသစ်ဒေတာဘေ့စ်'],
    ['น้ำ', 'ระดับน้ำสูง'],
  ])('finds %s inside a run of Thai, Khmer, Lao or Myanmar', expectFound);

  it.each([
    ['tiếng Việt', 'Cách triển khai tiếng Việt'],
    ['tieng viet', 'Cách triển khai tiếng Việt'],
    ['TIẾNG VIỆT', 'cách triển khai tieng viet'],
    ['tiếng Việt', 'Cách triển khai tiếng Việt'.normalize('NFD')],
    ['tieng viet', 'Cách triển khai tiếng Việt'.normalize('NFD')],
    ['duong', 'dường'],
    ['ǭ', 'o'],
    ['nguyễn'.normalize('NFD'), 'Nguyen'],
    ['район'.normalize('NFD'), 'район'],
    ['район', 'район'.normalize('NFD')],
  ])('finds %s with other marks, or in another normal form', expectFound);

  it.each([
    ['office', 'the o\ufb03ce'],
    ['workflow', 'a work\ufb02ow'],
    ['o\ufb03ce', 'the office'],
    ['configuration', 'the configu\u00adration'],
    ['configu\u00adration', 'the configuration'],
    ['zerowidth', 'zero\u200bwidth'],
    ['postgres', '\uff30\uff4f\uff53\uff54\uff47\uff52\uff45\uff53 runs'],
    ['\uff30\uff4f\uff53\uff54\uff47\uff52\uff45\uff53', 'postgres runs'],
    ['flag', '\ufb02ag'],
    ['"office plan"', 'the o\ufb03ce plan'],
    ['office NOT draft', 'o\ufb03ce'],
    ['n2', 'O(n\u00b2)'],
    ['byteorder', '\ufeffbyte\u2060order'],
    ['نمیخواهم', 'نمی\u200cخواهم'],
  ])('finds %s as the same signs look alike', expectFound);

  it.each([
    ['greSQL', ZH],
    ['"数据"', ZH],
    ['"PostgreSQL Redis"', ZH],
    ['fice', 'o\ufb03ce'],
    ['office NOT plan', 'the o\ufb03ce plan'],
  ])('does not find %s', async (query, text) => {
    await ingest(subject(), document('a', [text]));
    expect(await found(subject(), query)).toEqual([]);
  });

  it('looks for them in headings too', async () => {
    await ingest(subject(), document('a', [draft('none', { heading: '使用Redis' })]));
    expect(await found(subject(), 'redis')).toEqual(['a#0']);
  });

  it('leaves the scores of queries for other words as they are', async () => {
    const { store } = subject();
    const texts = ['copper falcon', 'copper tulip', 'falcon'];
    await ingest(subject(), document('a', texts));
    await ingest(subject(), document('b', ['copper tulip flag', 'falcon']));
    const scores = () => scoresOf(store, anyWordOf('copper tulip'), ['a#0', 'a#1', 'b#0']);
    const plain = await scores();
    expect(plain.size).toBe(3);
    await ingest(subject(), document('b', ['copper tulip \ufb02ag', 'falcon']));
    expect(await found(subject(), 'flag')).toEqual(['b#0']);
    expect(await scores()).toEqual(plain);
  });

  async function expectFound(query: string, text: string): Promise<void> {
    await ingest(subject(), document('a', [text, 'nothing']));
    expect(await found(subject(), query)).toEqual(['a#0']);
  }
}

const ZH = '使用PostgreSQL数据库连接池和Redis缓存，错误E11000出现在端口8080上。';

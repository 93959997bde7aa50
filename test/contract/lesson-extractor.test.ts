import { lessonExtractor } from '../../src/adapters/openai/language-model.js';
import { ModelCallError } from '../../src/domain/errors.js';
import { describeLessonExtractor } from '../../src/testing/models/lesson-extractor.contract.js';
import { FakeLessonExtractor } from '../fakes/fake-lesson-extractor.js';
import { startChat } from '../support/model-endpoint-chat.js';
import { answering, status } from '../support/model-endpoint-replies.js';

describeLessonExtractor('fake', async () => {
  const extractor = new FakeLessonExtractor();
  return {
    extractor,
    breakDown() {
      extractor.failure = new ModelCallError('unreachable', 'The model is down.');
    },
    recover() {
      extractor.failure = undefined;
    },
    close: async () => {},
  };
});

describeLessonExtractor('OpenAI endpoint', async () => {
  const works = answering(({ data }) => {
    const content = /Reflection:\n([\s\S]*)$/.exec(data)?.[1] ?? '';
    const learnings = content === '' ? [] : [{ category: 'storage', title: 'WAL', content }];
    return JSON.stringify({ learnings });
  });
  const { chat, endpoint } = await startChat(works);
  return {
    extractor: lessonExtractor(chat),
    breakDown: () => endpoint.answerWith(status(500)),
    recover: () => endpoint.answerWith(works),
    close: () => endpoint.close(),
  };
});

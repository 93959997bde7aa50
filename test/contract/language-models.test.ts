import type { ChatClient } from '../../src/adapters/openai/chat-client.js';
import {
  lessonExtractor,
  questionGenerator,
  summarizer,
} from '../../src/adapters/openai/language-model.js';
import { ModelCallError } from '../../src/domain/errors.js';
import { FakeLessonExtractor } from '../fakes/fake-lesson-extractor.js';
import { FakeQuestionGenerator } from '../fakes/fake-question-generator.js';
import { FakeSummarizer } from '../fakes/fake-summarizer.js';
import type { ModelRequest } from '../support/model-endpoint.js';
import { startChat } from '../support/model-endpoint-chat.js';
import { answering, status } from '../support/model-endpoint-replies.js';
import {
  describeLessonExtractor,
  describeQuestionGenerator,
  describeSummarizer,
} from './models/language-model.contract.js';

describeLessonExtractor('fake', () => fake(new FakeLessonExtractor()));
describeLessonExtractor('OpenAI endpoint', () =>
  onEndpoint(lessonExtractor, ({ data }) => {
    const content = /Reflection:\n([\s\S]*)$/.exec(data)?.[1] ?? '';
    const learnings = content === '' ? [] : [{ category: 'storage', title: 'WAL', content }];
    return JSON.stringify({ learnings });
  }),
);

describeQuestionGenerator('fake', () => fake(new FakeQuestionGenerator()));
describeQuestionGenerator('OpenAI endpoint', () =>
  onEndpoint(questionGenerator, ({ data }) => {
    const topic = data.slice(0, 20).trim();
    const questions = [`What is ${topic}?`, `Why ${topic}?`, `How ${topic}?`];
    return JSON.stringify({ questions });
  }),
);

describeSummarizer('fake', () => fake(new FakeSummarizer()));
describeSummarizer('OpenAI endpoint', () =>
  onEndpoint(summarizer, ({ data }) => (data.match(/^## .*$/gm) ?? []).join('\n')),
);

async function fake<Fake extends { failure: ModelCallError | undefined }>(port: Fake) {
  return {
    port,
    breakDown() {
      port.failure = new ModelCallError('unreachable', 'The model is down.');
    },
    recover() {
      port.failure = undefined;
    },
  };
}

async function onEndpoint<Port>(
  make: (chat: ChatClient) => Port,
  contentFor: (request: ModelRequest) => string,
) {
  const works = answering(contentFor);
  const { chat, endpoint } = await startChat(works);
  return {
    port: make(chat),
    breakDown: () => endpoint.answerWith(status(500)),
    recover: () => endpoint.answerWith(works),
  };
}

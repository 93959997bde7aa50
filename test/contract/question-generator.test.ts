import { questionGenerator } from '../../src/adapters/openai/language-model.js';
import { ModelCallError } from '../../src/domain/errors.js';
import { describeQuestionGenerator } from '../../src/testing/models/question-generator.contract.js';
import { FakeQuestionGenerator } from '../fakes/fake-question-generator.js';
import { startChat } from '../support/model-endpoint-chat.js';
import { answering, status } from '../support/model-endpoint-replies.js';

describeQuestionGenerator('fake', async () => {
  const generator = new FakeQuestionGenerator();
  return {
    generator,
    breakDown() {
      generator.failure = new ModelCallError('unreachable', 'The model is down.');
    },
    recover() {
      generator.failure = undefined;
    },
    close: async () => {},
  };
});

describeQuestionGenerator('OpenAI endpoint', async () => {
  const works = answering(({ data }) => {
    const topic = data.slice(0, 20).trim();
    return JSON.stringify({ questions: [`What is ${topic}?`, `Why ${topic}?`, `How ${topic}?`] });
  });
  const { chat, endpoint } = await startChat(works);
  return {
    generator: questionGenerator(chat),
    breakDown: () => endpoint.answerWith(status(500)),
    recover: () => endpoint.answerWith(works),
    close: () => endpoint.close(),
  };
});

import { summarizer } from '../../src/adapters/openai/language-model.js';
import { ModelCallError } from '../../src/domain/errors.js';
import { describeSummarizer } from '../../src/testing/models/summarizer.contract.js';
import { FakeSummarizer } from '../fakes/fake-summarizer.js';
import { startChat } from '../support/model-endpoint-chat.js';
import { answering, status } from '../support/model-endpoint-replies.js';

describeSummarizer('fake', async () => {
  const summarizer = new FakeSummarizer();
  return {
    summarizer,
    breakDown() {
      summarizer.failure = new ModelCallError('unreachable', 'The model is down.');
    },
    recover() {
      summarizer.failure = undefined;
    },
    close: async () => {},
  };
});

describeSummarizer('OpenAI endpoint', async () => {
  const works = answering(({ data }) => (data.match(/^## .*$/gm) ?? []).join('\n'));
  const { chat, endpoint } = await startChat(works);
  return {
    summarizer: summarizer(chat),
    breakDown: () => endpoint.answerWith(status(500)),
    recover: () => endpoint.answerWith(works),
    close: () => endpoint.close(),
  };
});

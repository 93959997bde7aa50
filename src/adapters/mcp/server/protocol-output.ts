import { Writable } from 'node:stream';

/**
 * Standard output for the protocol alone: what anything else in this process prints goes to standard
 * error, where a client shows it as the log of the server.
 */
export function protocolOutput({ stdout, stderr }: StandardStreams = process): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    write: (chunk, encoding, done) => {
      write(chunk, encoding, done);
    },
  });
  stdout.on('error', (error) => output.destroy(error));
  return output;
}

export interface StandardStreams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

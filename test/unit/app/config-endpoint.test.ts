import { describe, expect, it } from 'vitest';
import { endpointProblem } from '../../../src/app/config/endpoints.js';

describe('endpointProblem', () => {
  it.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:1234/v1/',
    'https://api.openai.com/v1',
    'http://[::1]:8080/v1',
    'http://192.168.1.20/v1',
    'https://metadata.example.com/v1',
    'https://169.254.example.com/v1',
  ])('has nothing against %s', (url) => {
    expect(endpointProblem(url)).toBeUndefined();
  });

  it.each([
    ['no URL', 'localhost'],
    ['nothing', ''],
    ['another scheme', 'localhost:11434/v1'],
    ['a file', 'file:///etc/passwd'],
    ['a user name', 'http://canary@host/v1'],
    ['a password', 'http://:canary@host/v1'],
    ['a query', 'http://host/v1?key=canary'],
    ['a fragment', 'http://host/v1#canary'],
    ['link-local', 'http://169.254.169.254/latest'],
    ['link-local as one number', 'http://2852039166/'],
    ['link-local in hexadecimal', 'http://0xa9fea9fe/'],
    ['link-local in octal', 'http://0251.0376.0251.0376/'],
    ['link-local with a dot at its end', 'http://169.254.169.254./'],
    ['link-local of IPv6', 'http://[fe80::1]/'],
    ['the end of link-local of IPv6', 'http://[febf::1]/'],
    ['link-local inside IPv6', 'http://[::ffff:169.254.169.254]/'],
    ['link-local behind NAT64', 'http://[64:ff9b::169.254.169.254]/'],
  ])('refuses %s without repeating it', (_, url) => {
    expect(endpointProblem(url)).toMatch(/^must .+[^.]$/);
    expect(endpointProblem(url)).not.toContain('canary');
  });
});

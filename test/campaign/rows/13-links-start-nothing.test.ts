import { expect, it } from 'vitest';
import { createBrowser } from '../../../src/adapters/browser/browser.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('13', 1_000);

const schemes = [
  ...[
    'http:',
    'file:',
    'javascript:',
    'data:',
    'vbscript:',
    'ftp:',
    'smb:',
    'ssh:',
    'telnet:',
    'mailto:',
    'tel:',
  ],
  ...[
    'ms-settings:',
    'ms-msdt:',
    'search-ms:',
    'vscode:',
    'x-apple.systempreferences:',
    'about:',
    'chrome:',
    'view-source:',
  ],
  'https:',
];
const payloads = [
  ...[
    '//evil.example/',
    '//bank.example/;id',
    '//bank.example/$(id)',
    '//bank.example/`id`',
    '//bank.example/|id',
    '//bank.example/&id',
  ],
  ...[
    '//bank.example/%0aid',
    '//bank.example/\nid',
    '//bank.example/\r\nid',
    '//bank.example/\u0000',
    '//bank.example/"&calc&"',
  ],
  ...[
    "//bank.example/'; id #",
    '//bank.example/${IFS}id',
    '//bank.example/?a=1&b=2',
    '//bank.example/#--app=x',
    '//user@bank.example/',
  ],
  ...[
    '//user:pass@bank.example/',
    '//-oProxyCommand=id/',
    '//--version',
    '//[::1]/',
    '//127.0.0.1/',
    '//0/',
    '//localhost/',
    '//LOCALHOST./',
  ],
  ...[
    '/etc/passwd',
    '///etc/passwd',
    '//localhost/etc/passwd',
    '\\\\evil\\share',
    '//evil@bank.example/',
    '//bank.example\\@evil/',
    '//bank.example%2f@evil/',
  ],
  ...[
    'alert(1)',
    'text/html,<script>1</script>',
    'msdt -id',
    '\u202egpj.exe',
    '//bank.example/\u202e',
    '//bänk.example/',
    '//bank.example/ä',
  ],
  ...[
    '//bank.example/a b',
    ' //bank.example/',
    '//bank.example:0/',
    '//bank.example:99999/',
    '//',
    '',
    '-h',
    '--help',
    '//%00/',
    '//bank.example/%',
  ],
  ...['//127.0.0.1.evil.example/', '//127.1/', `//bank.example/${'a'.repeat(9000)}`],
];
const cases = schemes.flatMap((scheme) => payloads.map((payload) => `${scheme}${payload}`));

it(
  'a link opens nothing but https, or http on this machine, as one plain argument',
  async () => {
    const launched: string[] = [];
    for (const href of cases) {
      const seen: string[] = [];
      const browser = createBrowser({
        env: { OBK_BROWSER: 'always' },
        clock: fakeClock(),
        launch: (url, app) => {
          seen.push(url, ...(app?.arguments ?? []));
          return Promise.resolve({ once: () => undefined as never, exitCode: 0 });
        },
      });
      await browser.open(href);
      for (const argument of seen) {
        launched.push(argument);
        const url = new URL(argument);
        const here =
          ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) || /^127(\.\d+){3}$/.test(url.hostname);
        expect(url.protocol === 'https:' || (url.protocol === 'http:' && here), argument).toBe(true);
        expect(url.username + url.password, argument).toBe('');
        // Nothing that a shell, an option parser or a terminal would take for its own.
        expect(argument).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
        expect(argument.length).toBeLessThanOrEqual(8_192);
      }
    }
    // A guard that lets nothing through would be none.
    expect(launched).toContain('https://bank.example/?a=1&b=2');
    row.report(`${launched.length} pages shown, 0 programs started`, cases.length);
  },
  row.timeout(20_000),
);

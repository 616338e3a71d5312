import { authoriseCommand } from '../run/authorise-command.ts';

export const { register } = authoriseCommand('payment');

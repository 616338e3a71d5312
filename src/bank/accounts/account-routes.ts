import type { OperationId } from '../../standard/xs2a/operations.ts';
import {
  getAccount,
  getAccounts,
  getBalances,
  getCardAccount,
  getCardAccounts,
  getCardBalances,
} from './accounts.ts';
import type { Handler } from '../trust/call.ts';
import { confirmFunds } from './funds.ts';
import { getCardTransactions, getTransaction, getTransactions } from './transactions.ts';

/** The handlers of the operations on accounts. */
export const accountHandlers: Readonly<Partial<Record<OperationId, Handler>>> = {
  getAccountList: getAccounts,
  readAccountDetails: getAccount,
  getBalances,
  getTransactionList: getTransactions,
  getTransactionDetails: getTransaction,
  getCardAccount: getCardAccounts,
  ReadCardAccount: getCardAccount,
  getCardAccountBalances: getCardBalances,
  getCardAccountTransactionList: getCardTransactions,
  checkAvailabilityOfFunds: confirmFunds,
};

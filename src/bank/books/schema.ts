/** The version of the tables; a ledger with a higher one is refused, one with a lower one begins anew. */
export const schemaVersion = 18;

const resource = "'resource', NULL, OLD.status, NEW.status";
const newStatus = 'NEW.status <> OLD.status';
// The last stage of a payment may end without a status of its own.
const newStage = "NEW.stages = '[]' AND OLD.stages <> '[]'";
const authorisation = 'NEW.parentKind, NEW.authorisationId, OLD.scaStatus, NEW.scaStatus';
/** A change of a resource for which a TPP wants notifications, by whatever hand, is noted in the same transaction. */
const changeTriggers = [
  ['payments', 'status, stages', 'paymentId', `${newStatus} OR (${newStage})`, resource],
  ['consents', 'status', 'consentId', newStatus, resource],
  ['baskets', 'status', 'basketId', newStatus, resource],
  ['authorisations', 'scaStatus', 'parentId', 'NEW.scaStatus <> OLD.scaStatus', authorisation],
]
  .map(
    ([table, columns, id, changed, values]) => `
CREATE TRIGGER IF NOT EXISTS ${table}Changed AFTER UPDATE OF ${columns} ON ${table}
WHEN (${changed}) AND EXISTS (SELECT 1 FROM wishes WHERE resourceId = NEW.${id})
BEGIN
  INSERT INTO changes (resourceId, subject, authorisationId, before, after) VALUES (NEW.${id}, ${values});
END;`,
  )
  .join('');

/**
 * The tables of a ledger. Amounts are integers in minor units, times ISO 8601 in UTC. `entries` sum to zero per booking;
 * `accounts.balance` is their sum per account, kept in the same transaction.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS doors (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS people (
  psuId TEXT PRIMARY KEY, position INTEGER NOT NULL, definition TEXT NOT NULL, password TEXT NOT NULL,
  additionalPassword TEXT, otp TEXT NOT NULL, locked INTEGER NOT NULL DEFAULT 0, wrongSecrets INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS accounts (
  accountId INTEGER PRIMARY KEY, iban TEXT, bban TEXT, msisdn TEXT, pan TEXT, maskedPan TEXT, currency TEXT NOT NULL, psuId TEXT REFERENCES people(psuId),
  name TEXT NOT NULL, position INTEGER NOT NULL, balance INTEGER NOT NULL DEFAULT 0, creditLimit INTEGER,
  settledBy INTEGER, hasHistory INTEGER NOT NULL DEFAULT 0, facts TEXT, UNIQUE (iban, currency)
) STRICT;
CREATE INDEX IF NOT EXISTS accountsOfPerson ON accounts(psuId, position);
CREATE INDEX IF NOT EXISTS accountsByBban ON accounts(bban) WHERE bban IS NOT NULL;
CREATE INDEX IF NOT EXISTS accountsByMsisdn ON accounts(msisdn) WHERE msisdn IS NOT NULL;
CREATE INDEX IF NOT EXISTS accountsByPan ON accounts(pan) WHERE pan IS NOT NULL;
CREATE INDEX IF NOT EXISTS accountsByMaskedPan ON accounts(maskedPan) WHERE maskedPan IS NOT NULL;
CREATE TABLE IF NOT EXISTS bookings (
  bookingId INTEGER PRIMARY KEY, bookedAt TEXT NOT NULL, paymentId TEXT, part INTEGER NOT NULL DEFAULT 0,
  currency TEXT NOT NULL, debtorName TEXT, debtorIban TEXT, creditorName TEXT, creditorIban TEXT, endToEndId TEXT,
  remittance TEXT, instructed TEXT, details TEXT
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS onceBooked ON bookings(paymentId, part) WHERE paymentId IS NOT NULL;
CREATE TABLE IF NOT EXISTS entries (
  entryId INTEGER PRIMARY KEY, bookingId INTEGER NOT NULL REFERENCES bookings(bookingId),
  accountId INTEGER NOT NULL REFERENCES accounts(accountId), day TEXT NOT NULL, minor INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS pendingEntries (
  pendingId INTEGER PRIMARY KEY, accountId INTEGER NOT NULL REFERENCES accounts(accountId), day TEXT NOT NULL,
  minor INTEGER NOT NULL, name TEXT, account TEXT, endToEndId TEXT, remittance TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS pendingOfAccount ON pendingEntries(accountId);
CREATE INDEX IF NOT EXISTS entriesOfAccount ON entries(accountId, day, entryId);
CREATE TABLE IF NOT EXISTS consents (
  consentId TEXT PRIMARY KEY, tpp TEXT NOT NULL, access TEXT NOT NULL, recurring INTEGER NOT NULL,
  frequencyPerDay INTEGER NOT NULL, validUntil TEXT NOT NULL, combined INTEGER NOT NULL, status TEXT NOT NULL,
  psuId TEXT, redirectUri TEXT, nokRedirectUri TEXT, redirectPreferred INTEGER, decoupledPreferred INTEGER, explicitPreferred INTEGER,
  lastActionDate TEXT NOT NULL, deletingSince TEXT, dueAt TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS consentsDue ON consents(dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX IF NOT EXISTS consentsOfPerson ON consents(psuId, tpp);
CREATE TABLE IF NOT EXISTS uses (
  consentId TEXT NOT NULL REFERENCES consents(consentId), operation TEXT NOT NULL, place TEXT NOT NULL,
  day TEXT NOT NULL, calls INTEGER NOT NULL, PRIMARY KEY (consentId, operation, place, day)
) STRICT;
CREATE TABLE IF NOT EXISTS watermarks (
  consentId TEXT NOT NULL REFERENCES consents(consentId), account TEXT NOT NULL, entryId INTEGER NOT NULL,
  PRIMARY KEY (consentId, account)
) STRICT;
CREATE TABLE IF NOT EXISTS payments (
  paymentId TEXT PRIMARY KEY, tpp TEXT NOT NULL, requestId TEXT NOT NULL, framework TEXT NOT NULL,
  service TEXT NOT NULL, product TEXT NOT NULL, contentType TEXT NOT NULL, body BLOB NOT NULL, content TEXT NOT NULL,
  status TEXT NOT NULL, psuId TEXT, sessionPsuId TEXT, redirectUri TEXT, nokRedirectUri TEXT, redirectPreferred INTEGER,
  decoupledPreferred INTEGER, explicitPreferred INTEGER, noFundsPreferred INTEGER, stages TEXT NOT NULL, rejected TEXT NOT NULL,
  booked INTEGER NOT NULL DEFAULT 0, cancelRequested INTEGER NOT NULL DEFAULT 0, createdAt TEXT NOT NULL, dueAt TEXT,
  debtorId INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS paymentsOfDebtor ON payments(debtorId) WHERE dueAt IS NOT NULL;
CREATE INDEX IF NOT EXISTS paymentsDue ON payments(dueAt) WHERE dueAt IS NOT NULL;
CREATE TABLE IF NOT EXISTS history (
  parentId TEXT NOT NULL, status TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS historyOfParent ON history(parentId);
CREATE TABLE IF NOT EXISTS authorisations (
  authorisationId TEXT PRIMARY KEY, parentKind TEXT NOT NULL, parentId TEXT NOT NULL, tpp TEXT NOT NULL,
  framework TEXT NOT NULL, approach TEXT NOT NULL, scaStatus TEXT NOT NULL, psuId TEXT, methodId TEXT,
  passwords INTEGER NOT NULL, attempts INTEGER NOT NULL, confirm INTEGER NOT NULL, byToken INTEGER NOT NULL,
  pageToken TEXT NOT NULL UNIQUE, redirectUri TEXT, nokRedirectUri TEXT, createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL, dueAt TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS authorisationsDue ON authorisations(dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX IF NOT EXISTS authorisationsOfParent ON authorisations(parentId, parentKind);
CREATE INDEX IF NOT EXISTS authorisationsOfPerson ON authorisations(psuId, scaStatus);
CREATE TABLE IF NOT EXISTS baskets (
  basketId TEXT PRIMARY KEY, tpp TEXT NOT NULL, status TEXT NOT NULL, psuId TEXT, redirectUri TEXT, nokRedirectUri TEXT,
  redirectPreferred INTEGER, dueAt TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS basketsDue ON baskets(dueAt) WHERE dueAt IS NOT NULL;
CREATE TABLE IF NOT EXISTS basketMembers (
  basketId TEXT NOT NULL REFERENCES baskets(basketId), paymentId TEXT REFERENCES payments(paymentId),
  consentId TEXT REFERENCES consents(consentId)
) STRICT;
CREATE INDEX IF NOT EXISTS basketOfPayment ON basketMembers(paymentId);
CREATE INDEX IF NOT EXISTS basketOfConsent ON basketMembers(consentId);
CREATE TABLE IF NOT EXISTS oauthRequests (
  requestId TEXT PRIMARY KEY, authorisationId TEXT, clientId TEXT NOT NULL, resourceId TEXT, scope TEXT NOT NULL,
  redirectUri TEXT NOT NULL, state TEXT NOT NULL, challenge TEXT NOT NULL, issuer TEXT NOT NULL, pageUntil TEXT NOT NULL,
  psuId TEXT, attempts INTEGER NOT NULL DEFAULT 0, decision TEXT, code TEXT UNIQUE, codeUntil TEXT,
  used INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS oauthClients (
  clientId TEXT NOT NULL, redirectUri TEXT NOT NULL, PRIMARY KEY (clientId, redirectUri)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tokens (
  hash TEXT PRIMARY KEY, kind TEXT NOT NULL, tpp TEXT NOT NULL, resourceId TEXT, psuId TEXT, scope TEXT NOT NULL,
  requestId TEXT NOT NULL, thumbprint TEXT, expiresAt TEXT NOT NULL, used INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS tokensOfRequest ON tokens(requestId);
CREATE INDEX IF NOT EXISTS tokensOfResource ON tokens(resourceId);
CREATE TABLE IF NOT EXISTS sessions (
  sessionId TEXT PRIMARY KEY, psuId TEXT, place TEXT NOT NULL, createdAt TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS arrivals (
  arrivalId INTEGER PRIMARY KEY, at INTEGER NOT NULL, operation TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
  requestId TEXT, tpp TEXT, status INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS arrivalsInWindow ON arrivals(tpp, operation, at);
CREATE INDEX IF NOT EXISTS arrivalsOfRequest ON arrivals(requestId) WHERE requestId IS NOT NULL;
CREATE TABLE IF NOT EXISTS verdicts (
  arrivalId INTEGER PRIMARY KEY, caller TEXT, verdict TEXT NOT NULL, code TEXT, rule TEXT, digest TEXT,
  signingString TEXT, findings TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS messages (
  arrivalId INTEGER PRIMARY KEY, query TEXT NOT NULL, requestHeaders TEXT NOT NULL, requestBody BLOB NOT NULL,
  requestBytes INTEGER NOT NULL, responseHeaders TEXT, responseBody BLOB, responseBytes INTEGER, ms INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS events (
  eventId INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS eventsKept AFTER INSERT ON events BEGIN
  DELETE FROM events WHERE eventId <= NEW.eventId - 10000;
END;
CREATE TRIGGER IF NOT EXISTS callEvent AFTER INSERT ON verdicts BEGIN
  INSERT INTO events (kind, id, data)
    SELECT 'call', arrivalId, json_object('number', arrivalId,
      'at', strftime('%Y-%m-%dT%H:%M:%S', at / 1000, 'unixepoch') || printf('.%03dZ', at % 1000), 'method', method,
      'path', path, 'operation', nullif(operation, ''), 'requestId', requestId, 'tpp', NEW.caller, 'status', status,
      'verdict', NEW.verdict, 'code', NEW.code, 'rule', NEW.rule, 'digest', NEW.digest,
      'signingString', NEW.signingString, 'findings', json(coalesce(NEW.findings, '[]'))) FROM arrivals WHERE arrivalId = NEW.arrivalId;
END;
CREATE TRIGGER IF NOT EXISTS paymentEvent AFTER INSERT ON history BEGIN
  INSERT INTO events (kind, id, data) VALUES
    ('payment', NEW.parentId, json_object('id', NEW.parentId, 'status', NEW.status, 'at', NEW.at));
END;
CREATE TRIGGER IF NOT EXISTS newConsentEvent AFTER INSERT ON consents BEGIN
  INSERT INTO events (kind, id, data) VALUES
    ('consent', NEW.consentId, json_object('id', NEW.consentId, 'status', NEW.status));
END;
CREATE TRIGGER IF NOT EXISTS consentEvent AFTER UPDATE OF status ON consents WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO events (kind, id, data) VALUES
    ('consent', NEW.consentId, json_object('id', NEW.consentId, 'status', NEW.status));
END;
CREATE TRIGGER IF NOT EXISTS newBasketEvent AFTER INSERT ON baskets BEGIN
  INSERT INTO events (kind, id, data) VALUES
    ('basket', NEW.basketId, json_object('id', NEW.basketId, 'status', NEW.status));
END;
CREATE TRIGGER IF NOT EXISTS basketEvent AFTER UPDATE OF status ON baskets WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO events (kind, id, data) VALUES
    ('basket', NEW.basketId, json_object('id', NEW.basketId, 'status', NEW.status));
END;
CREATE TRIGGER IF NOT EXISTS newAuthorisationEvent AFTER INSERT ON authorisations BEGIN
  INSERT INTO events (kind, id, data) VALUES
    (CASE WHEN NEW.scaStatus IN ('finalised', 'exempted', 'failed') THEN 'decision' ELSE 'authorisation' END,
     NEW.authorisationId, json_object('id', NEW.authorisationId, 'parentKind', NEW.parentKind, 'parentId', NEW.parentId,
     'scaStatus', NEW.scaStatus, 'psuId', NEW.psuId, 'at', NEW.updatedAt));
END;
CREATE TRIGGER IF NOT EXISTS authorisationEvent AFTER UPDATE OF scaStatus ON authorisations
WHEN OLD.scaStatus <> NEW.scaStatus BEGIN
  INSERT INTO events (kind, id, data) VALUES
    (CASE WHEN NEW.scaStatus IN ('finalised', 'exempted', 'failed') THEN 'decision' ELSE 'authorisation' END,
     NEW.authorisationId, json_object('id', NEW.authorisationId, 'parentKind', NEW.parentKind, 'parentId', NEW.parentId,
     'scaStatus', NEW.scaStatus, 'psuId', NEW.psuId, 'at', NEW.updatedAt));
END;
CREATE TABLE IF NOT EXISTS faults (
  faultId INTEGER PRIMARY KEY, operation TEXT NOT NULL, kind TEXT NOT NULL, status INTEGER, delayMs INTEGER,
  remaining INTEGER NOT NULL, raw INTEGER, edit TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS wishes (
  resourceId TEXT PRIMARY KEY, kind TEXT NOT NULL, framework TEXT NOT NULL, operation TEXT NOT NULL, path TEXT NOT NULL,
  uri TEXT NOT NULL, content TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS wishesOpen ON wishes(ended) WHERE ended = 0;
CREATE TABLE IF NOT EXISTS changes (
  changeId INTEGER PRIMARY KEY, resourceId TEXT NOT NULL, subject TEXT NOT NULL, authorisationId TEXT, before TEXT,
  after TEXT, pushId INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS pushes (
  pushId INTEGER PRIMARY KEY, at INTEGER NOT NULL, resourceId TEXT NOT NULL, uri TEXT NOT NULL, requestId TEXT NOT NULL,
  body TEXT NOT NULL, status INTEGER, failure TEXT, fault TEXT, resendOf INTEGER
) STRICT;
${changeTriggers}
CREATE TABLE IF NOT EXISTS scenario (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS replies (
  tpp TEXT NOT NULL, operation TEXT NOT NULL, requestId TEXT NOT NULL, digest TEXT NOT NULL, reply TEXT NOT NULL,
  PRIMARY KEY (tpp, operation, requestId)
) STRICT;
`;

/**
 * The tables that stay when a ledger is emptied: what happened, of which who listens has not heard all yet, and the
 * doors, which are those of the bank that serves the ledger.
 */
export const kept = ['events', 'doors'] as const;

/** All other tables, children first, for emptying a ledger. */
export const tables = [
  'pushes',
  'changes',
  'wishes',
  'replies',
  'scenario',
  'faults',
  'messages',
  'verdicts',
  'arrivals',
  'sessions',
  'tokens',
  'oauthRequests',
  'oauthClients',
  'authorisations',
  'basketMembers',
  'baskets',
  'uses',
  'watermarks',
  'consents',
  'history',
  'payments',
  'pendingEntries',
  'entries',
  'bookings',
  'accounts',
  'people',
  'meta',
] as const;

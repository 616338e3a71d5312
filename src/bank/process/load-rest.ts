/** Code that a bank loads only once it is asked for: a start waits for none of it. */
const later: readonly (() => Promise<unknown>)[] = [
  () => import('../interface/api.ts'),
  () => import('../accounts/account-routes.ts'),
  () => import('../endpoints/web.ts'),
  () => import('../control/routes.ts'),
  () => import('../openapi/of-file.ts'),
  () => import('../config/added.ts'),
  () => import('../config/fill.ts'),
  () => import('../config/export.ts'),
  () => import('../statements/seed.ts'),
  () => import('../payments/order-xml.ts'),
  () => import('../notifications/courier.ts'),
  () => import('../window/window.ts'),
  () => import('../tenants/choose-tenant.ts'),
  () => import('../../signing/certificate.ts'),
  () => import('node:https'),
];
const restMs = 1000;

/**
 * Loads the rest in the background, a piece at a time: a bank that runs for long outlives its files, which a build or an
 * installation of another version replaces. Returns what ends it.
 */
export function loadRest(): () => void {
  const left = [...later];
  let timer = setTimeout(next, restMs).unref();
  function next(): void {
    const soon = () => {
      if (left.length > 0) timer = setTimeout(next, 0).unref();
    };
    // What cannot be loaded is told by the call that needs it.
    left.shift()?.().then(soon, soon);
  }
  return () => {
    left.length = 0;
    clearTimeout(timer);
  };
}

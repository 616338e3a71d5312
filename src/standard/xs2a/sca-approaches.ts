/** How the PSU authenticates: at pages of the bank, through the TPP, on a device of their own, or in an OAuth2 dialogue. */
export const scaApproaches = ['redirect', 'embedded', 'decoupled', 'oauth'] as const;

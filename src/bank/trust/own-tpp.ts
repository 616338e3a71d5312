/** The TPP of the profile `sandbox`, by the organizationIdentifier of its certificates. */
export const ownTpp = 'PSDDE-BAFIN-999999';

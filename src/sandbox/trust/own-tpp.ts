/** Who the profile `sandbox` is, by the organizationIdentifier of its certificates. */
export const ownTpp = 'PSDDE-BAFIN-999999';

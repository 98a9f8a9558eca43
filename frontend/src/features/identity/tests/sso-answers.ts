import type { Sso, SsoProvider } from '../sso/api'

export function aProvider(values: Partial<SsoProvider> = {}): SsoProvider {
  const { uuid = '0f3c5b1a-6f0e-4a55-9d0a-0c1f5f3f7f10' } = values
  return {
    uuid,
    name: 'Okta',
    issuer: 'https://login.acme.test',
    clientId: 'tessera',
    isDefault: true,
    isNeeded: true,
    savedAt: '2026-11-01T10:00:00Z',
    linkedMembers: 3,
    redirectUri: `https://console.test/login/company/${uuid}`,
    backchannelLogoutUri: `https://console.test/api/auth/sso/backchannel-logout/1/${uuid}`,
    ...values,
  }
}

export const branch = aProvider({
  uuid: '7d1b1c0e-1111-4a55-9d0a-0c1f5f3f7f10',
  name: 'Branch',
  issuer: 'https://branch.test',
  isDefault: false,
})

export function anSso(values: Partial<Sso> = {}): Sso {
  return {
    providers: [aProvider()],
    maxProviders: 10,
    domains: [],
    required: false,
    isTried: true,
    recoveryCodesLeft: 9,
    ...values,
  }
}

/** What deciding a home needs to know of a user; narrower than `User` so that tests stay short. */
type Resident = { permissions: readonly string[]; isSubscribed: boolean }

/** The first screen of a signed-in user. Kept beside the session because public pages link to it too. */
export function homeOfUser({ permissions, isSubscribed }: Resident): string {
  if (permissions.includes('companies:manage')) return '/admin/companies'
  if (permissions.includes('members:manage')) return isSubscribed ? '/team-members' : '/subscription'
  if (permissions.includes('client:download')) return '/download'
  return '/'
}

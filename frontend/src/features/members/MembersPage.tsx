import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Button } from '@/components/Button'
import { GroupIcon } from '@/components/icons/GroupIcon'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { Tabs } from '@/components/Tabs'
import { InviteDialog, InvitedMembers, inviteTotal } from '@/features/invites'
import { useOpenRequest } from '@/hooks/use-open-request'
import { useUser } from '@/hooks/use-session'
import { firstSteps, memberTotal } from './api'
import { RegisteredMembers } from './page/RegisteredMembers'

type Props = {
  /** The company that a platform admin has chosen; by default the user's own. */
  company?: { id: number; name: string }
}

const FirstSteps = lazy(() => import('./first-steps/FirstSteps'))

type MemberTab = '0' | '1'

const INVITED: MemberTab = '1'
// Of the card, while it is being fetched.
const FIRST_STEPS_HEIGHT = 366

export default function MembersPage({ company }: Props) {
  const { t } = useTranslation('members')
  const [params, setParams] = useSearchParams()
  const [inviting, setInviting] = useState(false)
  const client = useQueryClient()
  const user = useUser()
  const manages = user?.permissions.includes('members:manage') ?? false
  const tab: MemberTab = params.get('tab') === INVITED ? INVITED : '0'
  const companyId = company?.id ?? null
  const tabs = [
    { id: '0', label: t('tabs.registered'), total: useQuery(memberTotal(companyId)).data },
    { id: INVITED, label: t('tabs.invited'), total: useQuery(inviteTotal(companyId)).data },
  ] as const
  // Search and filters of one list do not apply to the other.
  const show = (next: MemberTab) =>
    setParams({ ...(company ? { company: String(company.id) } : {}), ...(next === INVITED ? { tab: INVITED } : {}) })
  useOpenRequest({ invite: () => setInviting(manages), invitations: () => show(INVITED) })
  const onInvited = () => {
    show(INVITED)
    void client.invalidateQueries({ queryKey: firstSteps.queryKey })
  }
  const invite = manages ? (
    <Button size="large" onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  ) : null

  return (
    <>
      <PageHeader
        title={t(company ? 'titleOf' : 'common:screens.teamMembers', { name: company?.name })}
        sub={t(company ? 'subOf' : 'sub')}
        icon={<GroupIcon />}
        actions={invite}
      />
      {user?.firstSteps ? (
        <Suspense fallback={<Skeleton label={t('common:wait')} heights={[FIRST_STEPS_HEIGHT]} />}>
          <FirstSteps onInvite={() => setInviting(true)} />
        </Suspense>
      ) : null}
      <Tabs label={t('common:screens.members')} tabs={tabs} current={tab} onChange={show}>
        {tab === INVITED ? (
          <Suspense fallback={<Skeleton label={t('common:wait')} heights={[420]} />}>
            <InvitedMembers key={companyId} company={companyId} manages={manages} invite={invite} />
          </Suspense>
        ) : (
          <RegisteredMembers key={companyId} company={companyId} manages={manages} invite={invite} />
        )}
      </Tabs>
      <Suspense fallback={null}>
        {inviting ? <InviteDialog onClose={() => setInviting(false)} onInvited={onInvited} /> : null}
      </Suspense>
    </>
  )
}

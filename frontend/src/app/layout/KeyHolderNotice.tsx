import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import ConsoleProviders from '@/app/ConsoleProviders'
import { Banner } from '@/components/Banner'
import { Button } from '@/components/Button'
import { Term } from '@/components/Term'
import { heldKeyQuery } from '@/features/companies/key-holder/api'

const HeldKeyDialog = lazy(() => import('@/features/companies/HeldKeyDialog'))

/** Tells the second key holder that the team leader cannot open the passphrase. */
export default function KeyHolderNotice() {
  return (
    <ConsoleProviders>
      <Notice />
    </ConsoleProviders>
  )
}

function Notice() {
  const { t } = useTranslation(['company', 'console'])
  const [open, setOpen] = useState(false)
  const { data: held } = useQuery({ ...heldKeyQuery, refetchInterval: 60_000 })
  const needed = held?.isCurrent && held.leaderNeedsKey && !held.handedOver
  return (
    <>
      {needed ? (
        <Banner
          label={t('console:banner.label')}
          text={<Term name="keyHolder">{t('heldKey.notice', { name: held.leaderName })}</Term>}
          action={
            <Button variant="text" size="large" onClick={() => setOpen(true)}>
              {t('heldKey.titles.start')}
            </Button>
          }
        />
      ) : null}
      <Suspense fallback={null}>{open ? <HeldKeyDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}

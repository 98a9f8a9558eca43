import { useTranslation } from 'react-i18next'
import { Button } from '../Button'
import { DownloadIcon } from '../icons/DownloadIcon'

type Props = { save: { isPending: boolean; mutate: () => Promise<unknown> } }

/** Downloads a list as a spreadsheet; `save` is from `useExport`. */
export function ExportButton({ save }: Props) {
  const { t } = useTranslation('table')
  return (
    <Button
      variant="outlined"
      size="large"
      disabled={save.isPending}
      aria-busy={save.isPending}
      onClick={() => void save.mutate()}
    >
      <DownloadIcon />
      {t(save.isPending ? 'export.pending' : 'export.label')}
    </Button>
  )
}

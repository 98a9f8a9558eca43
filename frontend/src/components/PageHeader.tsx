import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

type Props = { title: string; sub?: ReactNode; actions?: ReactNode; icon?: ReactNode }

export function PageHeader({ title, sub, actions, icon }: Props) {
  return (
    <Box
      component="header"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 2, marginBlockEnd: 3 }}
    >
      <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Typography variant="h1" tabIndex={-1} sx={{ display: 'flex', alignItems: 'center', gap: 1.25 }}>
          {icon}
          {title}
        </Typography>
        {sub ? (
          <Typography component="div" color="text.secondary" sx={{ marginBlockStart: 0.75 }}>
            {sub}
          </Typography>
        ) : null}
      </Box>
      {actions ? <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>{actions}</Box> : null}
    </Box>
  )
}

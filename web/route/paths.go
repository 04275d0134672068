package route

// AuditExport is the path of the export of the audit log.
const AuditExport = "/api/v1/audit/export"

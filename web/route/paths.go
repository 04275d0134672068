package route

// AuditExport is the path of the export.
const AuditExport = "/api/v1/audit/export"

package importers

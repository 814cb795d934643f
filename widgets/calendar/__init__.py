"""A calendar of warm and cold days, and the arithmetic of its weeks."""

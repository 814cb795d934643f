"""What a few files of a store say now, put together with what lies around them."""
